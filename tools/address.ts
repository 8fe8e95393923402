// What follows from `repository` in package.json, the public address: while the owner is unknown, files name no image that would have
// to be pulled, and documents hide what needs one. `npm run release -- address ada/contrail` writes all of it.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { docsAddressOf } from '../server/base/version.ts'

interface Address {
  /** Of the repository, such as ada/contrail. */
  name: string
  /** Where the code is. */
  code: string
  /** The documentation, with a slash at the end. */
  docs: string
  /** The image, without a tag. */
  image: string
}

/** Undefined while the owner is unknown. */
export function addressOf(repository: string): Address | undefined {
  const docs = docsAddressOf(repository)
  const [, owner, project] = /^github:(.+)\/(.+)$/.exec(repository) ?? []
  if (!docs) return undefined
  return {
    name: `${owner}/${project}`,
    code: `https://github.com/${owner}/${project}`,
    docs,
    image: `ghcr.io/${owner}/${project}`.toLowerCase(),
  }
}

const label = (name: string) => new RegExp(`(?<=org\\.opencontainers\\.image\\.${name}=")[^"]*`)
const element = (name: string) => new RegExp(`(?<=<${name}>).*?(?=</${name}>)`)
const raw =
  (path: string) =>
  ({ code }: Address) =>
    `${code}/raw/main/${path}`

/** A value in a file: its place, and what it is with an address and without one. */
type Value = [place: RegExp, known: (address: Address) => string, unknown: string]

const icon: Value = [element('Icon'), raw('web/public/icon-512.png'), '']
const values: Record<string, Value[]> = {
  Dockerfile: [
    [label('source'), ({ code }) => code, ''],
    [label('url'), ({ code }) => code, ''],
    [label('documentation'), ({ docs }) => docs, ''],
  ],
  'compose.yaml': [[/(?<=^ {4}image: ).*$/m, ({ image }) => `${image}:\${CONTRAIL_VERSION:-1}`, 'contrail']],
  'deploy/unraid/contrail.xml': [
    [element('Repository'), ({ image }) => `${image}:1`, 'contrail'],
    [element('Registry'), ({ code }) => `${code}/pkgs/container/contrail`, ''],
    [element('Support'), ({ code }) => `${code}/issues`, ''],
    [element('Project'), ({ code }) => code, ''],
    [element('TemplateURL'), raw('deploy/unraid/contrail.xml'), ''],
    icon,
  ],
  'ca_profile.xml': [icon, [element('WebPage'), ({ code }) => code, '']],
}

/** A comment in a document, which readers see only with an address: its {name}, {code}, {docs} and {image} are then filled in. */
const hidden = /^<!-- published\n(.*?)^-->\n/gms

const documents = (root: string) => globSync(['*.md', 'docs/*.md'], { cwd: root })
/** Files that have the address or wait for it. */
export const addressed = (root: string): string[] => [...Object.keys(values), ...documents(root)]

/** The text of a file as the address wants it. */
function withAddress(file: string, text: string, address: Address | undefined): string {
  const filled = (values[file] ?? []).reduce(
    (before, [place, known, unknown]) => before.replace(place, () => (address ? known(address) : unknown)),
    text,
  )
  if (!address || !file.endsWith('.md')) return filled
  return filled.replace(hidden, (_comment, inside: string) =>
    inside.replace(/\{(name|code|docs|image)\}/g, (_all, key: keyof Address) => address[key]),
  )
}

/** The files that say something else than the address. */
export const listDisagreeing = (root: string, address: Address | undefined): string[] =>
  addressed(root).filter((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return withAddress(file, text, address) !== text
  })

/** Returns the files that it changed. */
export function writeAddress(root: string, repository: string): string[] {
  const change = (file: string, edit: (text: string) => string): string[] => {
    const before = readFileSync(join(root, file), 'utf8')
    const after = edit(before)
    if (after === before) return []
    writeFileSync(join(root, file), after)
    return [file]
  }
  const address = addressOf(repository)
  return [
    ...change('package.json', (text) => text.replace(/(?<="repository": ")[^"]*/, () => repository)),
    ...addressed(root).flatMap((file) => change(file, (text) => withAddress(file, text, address))),
  ]
}
