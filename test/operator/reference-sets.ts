// Sets of reference data as written by the generator, in a folder or on an external host.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { keepsConnections } from '../external-host.ts'

export const SHIPPED = 'server/services/reference/data'
const kinds = ['airports', 'airlines', 'aircraft'] as const

// biome-ignore lint/suspicious/noExplicitAny: columns of every kind
type Columns = Record<string, any[]>
export type Sets = Record<(typeof kinds)[number], { count: number; columns: Columns }>

let folders = 0
export const newFolder = () => join(process.env['TEST_SCRATCH']!, `set-${process.pid}-${folders++}`)

const shippedBytes = Object.fromEntries(
  kinds.map((kind) => [kind, readFileSync(`${SHIPPED}/${kind}.json.gz`)]),
)
const shippedTexts = Object.fromEntries(
  kinds.map((kind) => [kind, gunzipSync(shippedBytes[kind]!).toString()]),
)

/** The shipped set with some kinds changed, as written by the generator. */
export function writeSet(
  changes: { [Kind in keyof Sets]?: (set: Sets[Kind]) => void },
  manifestChange: object = {},
): string {
  const shipped = JSON.parse(readFileSync(`${SHIPPED}/manifest.json`, 'utf8'))
  const counts = { ...shipped.counts }
  const texts = { ...shippedTexts }
  const bytes = { ...shippedBytes }
  for (const kind of kinds) {
    const change = changes[kind]
    if (!change) continue
    const set = JSON.parse(texts[kind]!)
    change(set)
    counts[kind] = set.count
    texts[kind] = JSON.stringify(set)
    bytes[kind] = gzipSync(texts[kind], { level: 1 })
  }
  const version = createHash('sha256')
    .update(kinds.map((kind) => texts[kind]).join('\n'))
    .digest('hex')
    .slice(0, 16)
  const manifest = { ...shipped, version, counts, snapshot: '2099-01-31', ...manifestChange }
  const folder = newFolder()
  mkdirSync(folder)
  for (const kind of kinds) writeFileSync(join(folder, `${kind}.json.gz`), bytes[kind]!)
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest))
  return folder
}

export const indexOf = ({ columns }: Sets['airports'], iata: string) => columns['iata']!.indexOf(iata)

export interface SetHost {
  address: string
  /** Its responses by path. */
  served: Map<string, (response: http.ServerResponse) => void>
  /** Offers a set under the path; returns its address. */
  serve(folder: string, path: string): string
  close(): void
}

export async function startSetHost(): Promise<SetHost> {
  const served: SetHost['served'] = new Map()
  const host = http.createServer(keepsConnections, (request, response) => {
    const respond = served.get(request.url!)
    if (respond) respond(response)
    else response.writeHead(404).end()
  })
  host.listen(0, '127.0.0.1')
  await once(host, 'listening')
  const address = `http://127.0.0.1:${(host.address() as AddressInfo).port}`
  return {
    address,
    served,
    serve(folder, path) {
      for (const name of ['manifest.json', ...kinds.map((kind) => `${kind}.json.gz`)])
        served.set(`${path}${name}`, (response) => response.end(readFileSync(join(folder, name))))
      return address + path
    },
    close: () => host.close(),
  }
}
