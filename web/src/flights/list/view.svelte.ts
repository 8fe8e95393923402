/** How the list is shown: rows close together or with more in them, and in which order. */

import { viewport } from '../../lib/viewport.svelte.ts'
import type { Order } from './rows.ts'

export type Density = 'dense' | 'roomy'

const store = 'contrail.density'
/** A phone has room for the names of cities only in the higher rows. */
const usual: Density = viewport.isPhone ? 'roomy' : 'dense'
const chosenBefore = localStorage.getItem(store)
let density = $state<Density>(chosenBefore === 'roomy' || chosenBefore === 'dense' ? chosenBefore : usual)
let order = $state<Order>('newest')

export const view = {
  get density(): Density {
    return density
  },
  /** Remembered in this browser. */
  set density(chosen: Density) {
    density = chosen
    localStorage.setItem(store, chosen)
  },
  /** Kept until the page is left, so that going back to the list finds it as it was. */
  get order(): Order {
    return order
  },
  set order(chosen: Order) {
    order = chosen
  },
}
