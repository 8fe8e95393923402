// Cache of preview pictures by key. Concurrent requests for the same picture draw it once.
import { createHash } from 'node:crypto'
import type { ResponseCache } from '../../base/response/cache.ts'
import type { Draw } from './drawer.ts'
import type { FlownMap } from './picture.ts'

export interface Picture {
  bytes: Buffer
  /** A hash of the picture, so that it does not reveal changes that the picture does not show. */
  tag: string
}

export interface Previews {
  /** The cached picture, or one drawn from the result of `describe`; undefined if it cannot be drawn now. */
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
