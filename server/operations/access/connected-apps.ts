// Applications that a person has approved through OAuth, and how to disconnect them.
import * as z from 'zod'
import { notFound } from '../../base/errors.ts'
import { isScope, scopes } from '../../domain/access/access.ts'
import { RowId } from '../../domain/row-id.ts'
import { appName } from '../../domain/text/names.ts'
import { operation, person } from '../../door/operation.ts'
import { deleteGrant, listConnectedApps as listStoredApps } from '../../store/access/oauth/grants.ts'
import { list, nothing, onePage, pathId } from '../wire/schemas.ts'
import { authorOf, recordBy } from './authority.ts'

const tag = 'Account'

const ConnectedApp = z
  .object({
    id: RowId,
    clientName: z.string(),
    clientHost: z
      .string()
      .nullable()
      .describe('The verified host of the app; null for dynamically registered apps.'),
    redirectHost: z.string().describe('Host of the redirect URI.'),
    resource: z.string().describe('The resource that its tokens are valid for.'),
    scopes: z.array(z.enum(scopes)),
    authorizedAt: z.string().describe('When you first approved.').meta({ format: 'date-time' }),
    updatedAt: z.string().describe('When you last approved.').meta({ format: 'date-time' }),
    lastUsedAt: z.string().nullable().meta({ format: 'date-time' }),
  })
  .meta({ id: 'ConnectedApp' })

export const listConnectedApps = operation({
  id: 'list-connected-apps',
  method: 'GET',
  path: '/connected-apps',
  door: 'app',
  tag,
  summary: 'List your connected apps',
  access: person(),
  output: list(ConnectedApp),
  async run({ principal, db }) {
    const apps = await listStoredApps(db, { userId: principal.user.id })
    return onePage(
      apps.map((app) => ({
        id: app.id,
        clientName: appName(app.clientName, app.redirectUri),
        clientHost: app.clientId.startsWith('https://') ? new URL(app.clientId).host : null,
        redirectHost: new URL(app.redirectUri).host,
        resource: app.resource,
        scopes: app.scopes.filter(isScope),
        authorizedAt: app.createdAt,
        updatedAt: app.updatedAt,
        lastUsedAt: app.lastUsedAt,
      })),
    )
  },
})

export const deleteConnectedApp = operation({
  id: 'delete-connected-app',
  method: 'DELETE',
  path: '/connected-apps/{id}',
  door: 'app',
  tag,
  summary: 'Disconnect an app and revoke its tokens',
  access: person(),
  params: pathId,
  output: nothing,
  status: 204,
  errors: ['not_found'],
  async run(call) {
    const { principal, input, db } = call
    const ended = await deleteGrant(db, { userId: principal.user.id, id: input.id })
    if (!ended) throw notFound('Connected application')
    const details = { app: appName(ended.clientName ?? '', ended.redirectUri), resource: ended.resource }
    await recordBy(authorOf(call), db, 'app.revoked', { details })
  },
})
