/** How the list is shown: row height and order. */

import { viewport } from '../../lib/viewport.svelte.ts'
import type { Order } from './rows.ts'

export type Density = 'dense' | 'roomy'

const store = 'contrail.density'
/** On a phone, only the higher rows have room for city names. */
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
  /** Kept until the page is closed, so that going back to the list restores it. */
  get order(): Order {
    return order
  },
  set order(chosen: Order) {
    order = chosen
  },
}
