import { readFileSync } from 'node:fs'

const released: { version: string; repository: string } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
)

/** The version of this release. */
export const { version } = released

/** Where the documentation of the newest version is published: https://ada.github.io/contrail/. Undefined until an owner is named. */
export function docsAddressOf(repository: string): string | undefined {
  const [, owner, project] = /^github:([\w-]+)\/([\w.-]+)$/.exec(repository) ?? []
  return owner === undefined || owner === 'OWNER' ? undefined : `https://${owner}.github.io/${project}/`
}

export const docsAddress = docsAddressOf(released.repository)
