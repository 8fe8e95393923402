/** Decodes land and paints the world of a globe that stands still: both would hold up the page. */

import { type Land, landOf, type PackedLand } from './land.ts'
import { fetchCoarseWorld, fetchFineWorld } from './land-files.ts'
import { packLand } from './land-packing.ts'
import type { MapTheme } from './theme.ts'
import type { Camera, Viewport } from './types.ts'
import { hasLimb, paintLimb, paintWorld } from './world.ts'

/** A picture of the world, in the size of the canvas that it is for. */
interface WorldOrder {
  map: number
  key: string
  /** Which land is drawn; null for none. */
  fine: boolean | null
  camera: Camera
  viewport: Viewport
  theme: MapTheme
  night: number | null
  width: number
  height: number
  ratio: number
}

export type LandRequest = { load: { fine: boolean } } | { paint: WorldOrder }

export type LandReply =
  | { fine: boolean; land: PackedLand | null }
  /** No picture: this browser cannot paint here. */
  | { map: number; key: string; picture: ImageBitmap | null }

const lands = new Map<boolean, Land>()
/** The last order of each map: what it no longer waits for is not painted. */
const orders = new Map<number, WorldOrder>()

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

function paint({ fine, width, height, ratio, ...frame }: WorldOrder): ImageBitmap | null {
  if (!('OffscreenCanvas' in self)) return null
  const canvas = new OffscreenCanvas(width, height)
  const ctx = canvas.getContext('2d') as unknown as CanvasRenderingContext2D | null
  if (!ctx) return null
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0)
  const world = { ...frame, ctx, land: fine === null ? null : (lands.get(fine) ?? null), moving: false }
  paintWorld(world)
  if (frame.night === null && hasLimb(world)) paintLimb(world)
  return canvas.transferToImageBitmap()
}

addEventListener('message', ({ data }: MessageEvent<LandRequest>) => {
  if ('load' in data) {
    void load(data.load.fine)
    return
  }
  if (orders.size === 0) setTimeout(paintNext)
  orders.set(data.paint.map, data.paint)
})
