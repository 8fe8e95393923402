// The two committed files of the world's countries.
import type { GeometryCollection, Topology } from 'topojson-specification'
import fineUrl from '../../../../assets/land-50m.json?url'
import coarseUrl from '../../../../assets/land-110m.json?url'

export type World = Topology<{ countries: GeometryCollection }>

const cache = new Map<string, Promise<World>>()

function fetchWorld(url: string): Promise<World> {
  let world = cache.get(url)
  if (!world) {
    world = fetch(url).then((response) => response.json() as Promise<World>)
    // A failed load must not be cached, or the map would stay empty after a moment offline.
    world.catch(() => cache.delete(url))
    cache.set(url, world)
  }
  return world
}

export const fetchCoarseWorld = () => fetchWorld(coarseUrl)
export const fetchFineWorld = () => fetchWorld(fineUrl)
