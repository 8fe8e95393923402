/** Decodes land and paints the world and the routes of a globe that stands still: all of it would hold up the page. */

import { makeProjected, projectPoints } from '../camera.ts'
import { LinePicture } from '../line-picture.ts'
import { drawRoutes, type RoutesFrame, startLines } from '../routes.ts'
import { STRIDE } from '../sphere.ts'
import type { MapTheme } from '../theme.ts'
import type { Camera, Viewport } from '../types.ts'
import { fetchCoarseWorld, fetchFineWorld } from './files.ts'
import { type Land, landOf, type PackedLand } from './land.ts'
import { packLand } from './packing.ts'
import { hasLimb, paintLimb, paintWorld } from './world.ts'

/** A picture in the size of the canvas that it is for. */
interface Order {
  map: number
  key: string
  camera: Camera
  viewport: Viewport
  theme: MapTheme
  width: number
  height: number
  ratio: number
}

interface WorldOrder extends Order {
  /** Which land is drawn; null for none. */
  fine: boolean | null
  night: number | null
}

/** The routes alone, on nothing, of the scene that the map sent last. */
interface RoutesOrder extends Order {
  routes: true
}

/** What is drawn of a scene: four numbers of each route. */
interface PackedRoutes {
  map: number
  points: Float32Array
  routes: Float32Array
}

export type LandRequest =
  | { load: { fine: boolean } }
  | { paint: WorldOrder | RoutesOrder }
  | { keep: PackedRoutes }
  | { leave: number }

export type LandReply =
  | { fine: boolean; land: PackedLand | null }
  /** No picture: this browser cannot paint here. */
  | { map: number; key: string; picture: ImageBitmap | null }

const lands = new Map<boolean, Land>()
/** The last order of each picture: what it no longer waits for is not painted. */
const orders = new Map<number, WorldOrder | RoutesOrder>()
/** The scene of each map. */
const scenes = new Map<number, RoutesFrame['scene']>()

const reply = (message: LandReply, transfer: Transferable[] = []) => postMessage(message, { transfer })

async function load(fine: boolean): Promise<void> {
  try {
    const packed = packLand(await (fine ? fetchFineWorld() : fetchCoarseWorld()), fine)
    lands.set(fine, landOf(packed))
    reply({ fine, land: packed })
  } catch {
    reply({ fine, land: null })
  }
}

function paintNext(): void {
  const [order] = orders.values()
  if (!order) return
  orders.delete(order.map)
  const picture = paint(order)
  reply({ map: order.map, key: order.key, picture }, picture ? [picture] : [])
  if (orders.size > 0) setTimeout(paintNext)
}

function paint(order: WorldOrder | RoutesOrder): ImageBitmap | null {
  if (!('OffscreenCanvas' in self)) return null
  const { width, height, ratio } = order
  const canvas = new OffscreenCanvas(width, height)
  const ctx = canvas.getContext('2d') as unknown as CanvasRenderingContext2D | null
  if (!ctx) return null
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0)
  if ('routes' in order) paintRoutes(ctx, order)
  else paintGlobe(ctx, order)
  return canvas.transferToImageBitmap()
}

function paintGlobe(ctx: CanvasRenderingContext2D, { fine, ...frame }: WorldOrder): void {
  const world = { ...frame, ctx, land: fine === null ? null : (lands.get(fine) ?? null), moving: false }
  paintWorld(world)
  if (frame.night === null && hasLimb(world)) paintLimb(world)
}

function paintRoutes(ctx: CanvasRenderingContext2D, { map, ...look }: RoutesOrder): void {
  const scene = scenes.get(map)
  if (!scene) return
  const at = makeProjected(scene.points.length / STRIDE)
  projectPoints(scene.points, look.camera, look.viewport, at)
  startLines(ctx)
  drawRoutes(
    { ...look, land: null, night: null, moving: false, dimmed: false, ctx, at, scene },
    new LinePicture(),
  )
}

function keep({ map, points, routes: numbers }: PackedRoutes): void {
  const routes: RoutesFrame['scene']['routes'] = []
  for (let i = 0; i < numbers.length; i += 4)
    routes.push({
      start: numbers[i]!,
      count: numbers[i + 1]!,
      weight: numbers[i + 2]!,
      flown: numbers[i + 3]!,
    })
  scenes.set(map, { points, routes })
}

addEventListener('message', ({ data }: MessageEvent<LandRequest>) => {
  if ('load' in data) void load(data.load.fine)
  else if ('keep' in data) keep(data.keep)
  else if ('leave' in data) scenes.delete(data.leave)
  else {
    if (orders.size === 0) setTimeout(paintNext)
    orders.set(data.paint.map, data.paint)
  }
})

// The first number that is formatted takes the browser 30 ms, in which it loads how. From then on the page has it, too.
new Intl.NumberFormat(navigator.language).format(1)
