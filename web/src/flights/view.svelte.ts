/** How the list is shown: rows close together or with more in them, and in which order. */

import type { Order } from './rows.ts'

export type Density = 'dense' | 'roomy'

const store = 'contrail.density'
let density = $state<Density>(localStorage.getItem(store) === 'roomy' ? 'roomy' : 'dense')
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
