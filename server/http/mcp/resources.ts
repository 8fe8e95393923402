// Resources that an assistant can read without calling a tool. Each is an operation with fixed input and goes through the
// same door.

import { open, type RawInput } from '../../door/open.ts'
import type { Operation } from '../../door/operation.ts'
import type { Services } from '../../door/services.ts'
import { operations } from '../../operations/index.ts'
import type { Principal } from '../../services/access/principal.ts'
import { structuredOf } from './results.ts'
import { usualDetail } from './tool-schemas.ts'
import { mayCall } from './tools.ts'

const ROOT = 'contrail://'
const RECENT = '10'
const mimeType = 'application/json'

interface Fixed {
  uri: string
  name: string
  title: string
  description: string
  operation: string
  input: RawInput
}

const fixed: readonly Fixed[] = [
  {
    uri: `${ROOT}me`,
    name: 'me',
    title: 'You',
    description:
      'Your name, home airport and units, today’s date, and what this credential may do, in words.',
    operation: 'describe-me',
    input: {},
  },
  {
    uri: `${ROOT}profile`,
    name: 'profile',
    title: 'Your profile',
    description: 'Your profile and role, and the scopes of this credential.',
    operation: 'get-me',
    input: {},
  },
  {
    uri: `${ROOT}flights/recent`,
    name: 'recent-flights',
    title: 'Recent flights',
    description: 'The newest flights in your log, including upcoming ones, one line each.',
    operation: 'list-flights',
    input: { query: { limit: RECENT } },
  },
  {
    uri: `${ROOT}statistics`,
    name: 'statistics',
    title: 'Your statistics',
    description: 'Totals for your log: flights, distance, time in the air, airports, airlines and more.',
    operation: 'get-stats',
    input: {},
  },
]

const flightTemplate = {
  uriTemplate: `${ROOT}flights/{id}`,
  name: 'flight',
  title: 'A flight',
  description: 'One flight by its id.',
  mimeType,
}

const operationCalled = (id: string): Operation | undefined => operations.find((op) => op.id === id)
const usable = (id: string, principal: Principal): boolean => {
  const op = operationCalled(id)
  return op !== undefined && mayCall(op, principal)
}

export const listResources = (principal: Principal) =>
  fixed
    .filter(({ operation }) => usable(operation, principal))
    .map(({ operation: _operation, input: _input, ...shown }) => ({ ...shown, mimeType }))

export const listResourceTemplates = (principal: Principal) =>
  usable('get-flight', principal) ? [flightTemplate] : []

interface Readable {
  op: Operation
  input: RawInput
}

/** The operation behind an address, or undefined if there is none. */
export function findResource(uri: string): Readable | undefined {
  const resource = fixed.find((candidate) => candidate.uri === uri)
  const flightId = /^contrail:\/\/flights\/([1-9]\d*)$/.exec(uri)?.[1]
  const [id, input] = flightId
    ? ['get-flight', { params: { id: flightId } }]
    : [resource?.operation, resource?.input]
  const op = id === undefined ? undefined : operationCalled(id)
  return op && input && { op, input }
}

export async function readResource(
  { op, input }: Readable,
  services: Services,
  principal: Principal,
  uri: string,
) {
  const { store, reference, clock } = services
  const customNames = await reference.customNames(store.read, principal.revisions.reference)
  const output = await (await open(op, services, principal, input)).value()
  const { structured } = structuredOf({
    op,
    output,
    confirmation: undefined,
    viewer: { userId: principal.user.id, now: clock.now(), showsBookings: false },
    customNames,
    isFull: usualDetail(op) === 'full',
    changeId: undefined,
  })
  return { contents: [{ uri, mimeType, text: JSON.stringify(structured) }] }
}
