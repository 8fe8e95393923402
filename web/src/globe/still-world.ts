// The page's end of the worker that decodes land and paints a globe that stands still.
import type { Frame } from './frame.ts'
import { type Land, landOf } from './land/land.ts'
import type { LandReply, LandRequest } from './land/worker.ts'
import { MANY_WHEN_MOVING } from './routes.ts'
import type { Scene } from './scene.ts'

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
    worker = new Worker(new URL('./land/worker.ts', import.meta.url), { type: 'module', name: 'land' })
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
    leave(map: number): void {
      pictures.delete(map)
      worker?.postMessage({ leave: map } satisfies LandRequest)
    },
    get isBroken(): boolean {
      return isBroken
    },
    send,
  }
}

const landWorker = createLandWorker()

export const loadLand = (fine: boolean): Promise<Land> => landWorker.load(fine)

/** A picture of one map, painted by the worker. */
class Still {
  protected readonly map: number
  protected picture: ImageBitmap | null = null
  protected painted = ''
  protected wanted = ''
  protected isRefused = landWorker.isBroken

  /** `onpainted` is called when a picture is there, or will never be. */
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

  /** What was ordered last is not there yet. */
  get isAwaited(): boolean {
    return !this.isRefused && this.wanted !== this.painted
  }

  protected lookOf({ ctx, camera, viewport, theme }: Frame, key: string) {
    this.wanted = key
    const { width, height } = ctx.canvas
    return { map: this.map, key, camera, viewport, theme, width, height, ratio: ctx.getTransform().a }
  }
}

/** Sea, land and rim. */
export class StillWorld extends Still {
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

  private order(frame: Frame, key: string): void {
    const { night, land } = frame
    landWorker.send({ paint: { ...this.lookOf(frame, key), night, fine: land?.fine ?? null } })
  }
}

/** The routes, where there are many of them and none is selected or found. */
export class StillRoutes extends Still {
  private scene: Scene | null = null
  private scenes = 0

  /** Null while it is being painted, undefined where the routes are drawn in the page. */
  pictureOf(frame: Frame, key: string): ImageBitmap | null | undefined {
    const { scene, dimmed } = frame
    if (this.isRefused || dimmed || scene.routes.length <= MANY_WHEN_MOVING) return undefined
    if (scene !== this.scene) this.send(scene)
    const whole = `${key} ${this.scenes}`
    if (this.wanted !== whole) landWorker.send({ paint: { ...this.lookOf(frame, whole), routes: true } })
    return this.painted === whole ? this.picture : null
  }

  private send(scene: Scene): void {
    this.scene = scene
    this.scenes++
    const routes = new Float32Array(scene.routes.length * 4)
    for (const [i, { start, count, weight, flown }] of scene.routes.entries())
      routes.set([start, count, weight, flown], i * 4)
    landWorker.send({ keep: { map: this.map, points: scene.points, routes } })
  }
}
