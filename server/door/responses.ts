// The forms of a response: JSON whose bytes may be cached under the call's key, a long document, a stream. Cached
// responses have an ETag.
import { hash } from 'node:crypto'
import type { ResponseCache } from '../base/response/cache.ts'
import { ZIP_FROM_BYTES } from '../base/response/gzip.ts'
import type { Write } from '../base/response/spool.ts'
import { requireCommitted } from '../store/store.ts'
import type { AnyCall, OpenCall } from './open.ts'
import type { LongDocument, Operation, StreamedResponse, Validator } from './operation.ts'

type Opened = OpenCall<Operation>

/** The JSON of the operation's output. The JSON of a conditional read may be cached, with its tag. */
export async function jsonText(opened: Opened): Promise<string> {
  const { op, call } = opened
  if (!op.cached?.key) return makeText(opened)
  const key = await keyOf(opened)
  const known = call.services.cache.get(key)
  if (known) {
    const { text, validator } = unpack(known)
    Object.assign(call.validator, validator)
    return text
  }
  const text = await makeText(opened)
  if (call.validator.isKeyed) keepFor(opened)(key, pack(text, call.validator))
  return text
}

async function makeText(opened: Opened): Promise<string> {
  const { op, call } = opened
  if (!op.sends?.jsonText) return JSON.stringify(await opened.value())
  const text = await op.sends.jsonText(call)
  call.services.onOutput?.(op, JSON.parse(text))
  return text
}

export interface CachedResponse {
  etag: string
  bytes(): Promise<Buffer>
  zippedIfLarge(): Promise<{ zipped: Buffer; plain?: never } | { zipped?: never; plain: Buffer }>
}

/** For operations with a cache key: equal requests at equal revisions have equal bytes, which may be cached. */
export async function cachedResponse(opened: Opened): Promise<CachedResponse> {
  const { op, call } = opened
  const { cache, zip } = call.services
  const key = await keyOf(opened)
  // A prefix, because a key may end with client input.
  const zippedKey = `gzip ${key}`
  const keep = keepFor(opened)
  const bytes = async (): Promise<Buffer> => {
    const known = cache.get(key)
    if (known) return known
    const made = Buffer.from(await makeText(opened))
    keep(key, made)
    return made
  }
  return {
    etag: tagOf(key),
    bytes,
    async zippedIfLarge() {
      const known = cache.get(zippedKey)
      if (known) return { zipped: known }
      const plain = await bytes()
      if (plain.byteLength < ZIP_FROM_BYTES) return { plain }
      const zipped = await zip(zippedKey, plain, op.access.who === 'everyone' ? 'stranger' : 'known')
      keep(zippedKey, zipped)
      return { zipped }
    },
  }
}

/** For operations that write a long document: created once for equal requests at equal revisions. */
export async function longDocument(opened: Opened): Promise<LongDocument & { etag: string }> {
  const { op, call } = opened
  const { spool } = call.services
  const key = await keyOf(opened, `${call.principal.revisions.epoch}/`)
  return {
    etag: tagOf(key),
    open: (options) => spool.open(key, (write) => writeChecked(op, call, write), options),
  }
}

export const streamedResponse = ({ op, call }: Opened): Promise<StreamedResponse> => op.sends!.stream!(call)

/** Other versions of the program and other operations have other responses. */
async function keyOf({ op, call }: Opened, among = ''): Promise<string> {
  requireCommitted(call.db)
  return `${call.services.version}/${op.id}/${among}${await op.cached!.key!(call)}`
}

function keepFor({ op, call }: Opened): ResponseCache['set'] {
  const { cache } = call.services
  return op.cached?.seldom ? cache.setOnSecondMiss : cache.set
}

/** A tag never contains a line break. */
const pack = (text: string, { tag, isComplete }: Validator): Buffer =>
  Buffer.from(`${isComplete ? 'complete' : ''}${tag}\n${text}`)

function unpack(bytes: Buffer): { text: string; validator: Validator } {
  const all = bytes.toString()
  const [start, end] = [all.indexOf('"'), all.indexOf('\n')]
  return { text: all.slice(end + 1), validator: { tag: all.slice(start, end), isComplete: start > 0 } }
}

const tagOf = (key: string): string => `"${hash('sha1', key, 'base64url')}"`

/** Tests check the whole text against the operation's declaration. */
async function writeChecked(op: Operation, call: AnyCall, write: Write): Promise<void> {
  const { onOutput } = call.services
  if (!onOutput) return op.sends!.written!(call, write)
  let text = ''
  await op.sends!.written!(call, (piece) => {
    text += piece
    return write(piece)
  })
  onOutput(op, JSON.parse(text))
}
