/** One's fellow passengers, and the comparison of two people. */

import { client, dataOf } from './client.ts'
import type { components } from './schema.d.ts'

export type KnownPerson = components['schemas']['KnownPerson']
export type PeopleComparison = components['schemas']['PeopleComparison']
export type SeenByOne = components['schemas']['SeenByOne']

export const listPeople = (signal: AbortSignal) => dataOf(client.GET('/people', { signal }))
/** By id, or by name for guests without one. */
export const comparePeople = (a: string, b: string, signal: AbortSignal) =>
  dataOf(client.GET('/people/compare', { params: { query: { a, b } }, signal }))
