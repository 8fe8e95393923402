// The page's end of the worker that decodes land and paints the world of a globe that stands still.
import type { Frame } from './frame.ts'
import { type Land, landOf } from './land.ts'
import type { LandReply, LandRequest } from './land-worker.ts'

interface Waiting {
  resolve: (land: Land) => void
  reject: (error: Error) => void
}

/** One worker for all maps of the page: each file is decoded once. */
function createLandWorker() {
  let worker: Worker | undefined
  let isBroken = false
  let maps = 0
  const lands = new Map<boolean, Promise<Land>>()
  const waiting = new Map<boolean, Waiting>()
  const pictures = new Map<number, (key: string, picture: ImageBitmap | null) => void>()

  function started(): Worker {
    if (worker) return worker
    worker = new Worker(new URL('./land-worker.ts', import.meta.url), { type: 'module', name: 'land' })
    worker.onmessage = ({ data }: MessageEvent<LandReply>) => receive(data)
    worker.onerror = () => {
      worker = undefined
      isBroken = true
      for (const fine of waiting.keys()) refuse(fine)
      waiting.clear()
      for (const take of pictures.values()) take('', null)
    }
    return worker
  }

  function receive(reply: LandReply): void {
    if ('map' in reply) {
      const take = pictures.get(reply.map)
      if (take) take(reply.key, reply.picture)
      else reply.picture?.close()
      return
    }
    if (reply.land) waiting.get(reply.fine)?.resolve(landOf(reply.land))
    else refuse(reply.fine)
    waiting.delete(reply.fine)
  }

  /** A failed load must not be kept, or the map would stay empty after a moment offline. */
  function refuse(fine: boolean): void {
    lands.delete(fine)
    waiting.get(fine)?.reject(new Error('The land could not be loaded'))
  }

  const send = (request: LandRequest) => started().postMessage(request)

  return {
    load(fine: boolean): Promise<Land> {
      let land = lands.get(fine)
      if (!land) {
        land = new Promise<Land>((resolve, reject) => waiting.set(fine, { resolve, reject }))
        lands.set(fine, land)
        send({ load: { fine } })
      }
      return land
    },
    /** The number of a map, which its orders carry. */
    enter(take: (key: string, picture: ImageBitmap | null) => void): number {
      pictures.set(++maps, take)
      return maps
    },
    leave: (map: number) => void pictures.delete(map),
    get isBroken(): boolean {
      return isBroken
    },
    send,
  }
}

const landWorker = createLandWorker()

export const loadLand = (fine: boolean): Promise<Land> => landWorker.load(fine)

/** The picture of one map. */
export class StillWorld {
  private readonly map: number
  private picture: ImageBitmap | null = null
  private painted = ''
  private wanted = ''
  private isRefused = landWorker.isBroken

  /** `onpainted` is called when a picture is there. */
  constructor(onpainted: () => void) {
    this.map = landWorker.enter((key, picture) => {
      this.isRefused ||= picture === null
      this.picture?.close()
      this.picture = picture
      this.painted = key
      onpainted()
    })
  }

  destroy(): void {
    landWorker.leave(this.map)
    this.picture?.close()
    this.picture = null
  }

  /**
   * Null while it is being painted, refused where it cannot be. A picture with other land is shown until the right one is there;
   * `key` is what else it depends on.
   */
  pictureOf(frame: Frame, key: string): ImageBitmap | 'refused' | null {
    if (this.isRefused) return 'refused'
    const whole = `${key} ${frame.land?.fine}`
    if (this.wanted !== whole && !(this.picture && this.painted === whole)) this.order(frame, whole)
    return this.painted.startsWith(`${key} `) ? this.picture : null
  }

  private order({ ctx, camera, viewport, theme, night, land }: Frame, key: string): void {
    this.wanted = key
    const { width, height } = ctx.canvas
    const ratio = ctx.getTransform().a
    const look = { camera, viewport, theme, night }
    landWorker.send({
      paint: { map: this.map, key, fine: land?.fine ?? null, ...look, width, height, ratio },
    })
  }
}
