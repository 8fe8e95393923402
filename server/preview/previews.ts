// The pictures of link previews: kept as bytes under a key, each drawn once however many requests wait for it.
import { createHash } from 'node:crypto'
import type { ResponseCache } from '../base/response-cache.ts'
import type { Draw } from './drawer.ts'
import type { FlownMap } from './picture.ts'

export interface Picture {
  bytes: Buffer
  /** Computed from the picture itself: it must not reveal that something changed which is not shown. */
  tag: string
}

export interface Previews {
  /** The picture kept under this key, or one drawn of what `describe` gives; undefined if it cannot be drawn now. */
  picture(key: string, describe: () => Promise<FlownMap>): Promise<Picture | undefined>
}

export function createPreviews(draw: Draw, cache: ResponseCache): Previews {
  const drawing = new Map<string, Promise<Buffer | undefined>>()

  async function create(key: string, describe: () => Promise<FlownMap>): Promise<Buffer | undefined> {
    const bytes = await draw(await describe())
    if (bytes) cache.set(key, bytes)
    return bytes
  }

  function drawn(key: string, describe: () => Promise<FlownMap>): Promise<Buffer | undefined> {
    let picture = drawing.get(key)
    if (!picture) {
      picture = create(key, describe).finally(() => drawing.delete(key))
      drawing.set(key, picture)
    }
    return picture
  }

  return {
    async picture(key, describe) {
      const bytes = cache.get(key) ?? (await drawn(key, describe))
      return bytes && { bytes, tag: createHash('sha256').update(bytes).digest('base64url').slice(0, 22) }
    },
  }
}
