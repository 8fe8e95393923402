// The audit trail: users read their own events, administrators everyone's.
import * as z from 'zod'
import { forbidden } from '../../base/errors.ts'
import { RowId } from '../../domain/row-id.ts'
import { operation, person } from '../../door/operation.ts'
import { type Principal, roleMay } from '../../services/access/principal.ts'
import {
  eventKinds,
  listEventsOf,
  listEvents as listStoredEvents,
  type AuditEvent as StoredEvent,
} from '../../store/access/audit.ts'
import { createIdCursors } from '../wire/cursors.ts'
import { Limit, list } from '../wire/schemas.ts'

const tag = 'Audit'
const EventUser = z.object({ id: z.string(), username: z.string() })

const AuditEvent = z
  .object({
    id: RowId,
    happenedAt: z.string().meta({ format: 'date-time' }),
    kind: z.enum(eventKinds),
    actor: EventUser.nullable().describe('Who did it; null if they were not signed in.'),
    subject: EventUser.nullable().describe('The user it concerns, if that is another one.'),
    address: z.string().nullable().describe('Client address; IPv6 as /64.'),
    details: z.record(
      z.string(),
      z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())]),
    ),
  })
  .meta({ id: 'AuditEvent' })

const cursors = createIdCursors('a1')
const paging = z.object({ limit: Limit, cursor: cursors.Cursor })

const mayReadAll = (principal: Principal): boolean =>
  roleMay(principal, 'roles.manage') || roleMay(principal, 'users.update')

export const listEvents = operation({
  id: 'list-audit-events',
  method: 'GET',
  path: '/audit',
  door: 'app',
  tag,
  summary: 'List the audit trail of this instance, newest first',
  access: person([], ['roles.manage', 'users.update']),
  query: paging,
  output: list(AuditEvent),
  check({ principal }) {
    if (!mayReadAll(principal)) throw forbidden()
  },
  run: async ({ db, input }) =>
    page(await listStoredEvents(db, { before: input.cursor, limit: input.limit + 1 }), input.limit),
})

export const listMyEvents = operation({
  id: 'list-my-audit-events',
  method: 'GET',
  path: '/audit/mine',
  door: 'app',
  tag,
  summary: 'List your own audit trail, newest first',
  access: person(),
  query: paging,
  output: list(AuditEvent),
  run: async ({ principal, db, input }) =>
    page(
      await listEventsOf(db, { userId: principal.user.id, before: input.cursor, limit: input.limit + 1 }),
      input.limit,
    ),
})

function page(found: StoredEvent[], limit: number) {
  const events = found.slice(0, limit)
  const data = events.map((event) => ({
    ...event,
    details: { ...event.details } as z.input<typeof AuditEvent>['details'],
  }))
  return { data, page: { nextCursor: found.length > limit ? cursors.write(events.at(-1)!.id) : null } }
}
