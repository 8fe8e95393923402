// What a client can read before it has a credential.
import * as z from 'zod'
import { scopeDescription, scopes } from '../../domain/access/access.ts'
import { CHANGES_AT_MOST } from '../../domain/history/changes.ts'
import { BULK_OPERATIONS_AT_MOST, EXTERNAL_IDS_AT_MOST, FEEDS_AT_MOST } from '../../domain/limits.ts'
import { WEBHOOKS_PER_PERSON } from '../../domain/webhooks/webhooks.ts'
import { everyone, operation } from '../../door/operation.ts'

/** What programs can rely on besides reading and writing single flights. */
const features = [
  'changes',
  'conditions',
  'patch',
  'bulk',
  'idempotency',
  'external-ids',
  'webhooks',
  'feeds',
  /** A provider can look up flights that are not in the log. */
  'flight-lookup',
] as const

const Discovery = z
  .object({
    api: z.object({
      version: z.string(),
      minimumSupportedVersion: z.string(),
      documentation: z.string(),
    }),
    instance: z.object({ name: z.string(), version: z.string() }),
    authentication: z.object({ methods: z.array(z.string()), bearerHeader: z.string() }),
    mcp: z.object({
      enabled: z.boolean(),
      transport: z.string(),
      endpoint: z.string(),
      oauth: z.boolean(),
    }),
    scopes: z.array(z.object({ name: z.enum(scopes), description: z.string() })),
    features: z.array(z.enum(features)),
    limits: z.object({
      bulk: z.int().describe('Operations in one bulk request.'),
      changes: z.int().describe('Entries in one page of changes.'),
      externalIds: z.int().describe('External ids of one flight, for each person.'),
      webhooks: z.int().describe('Webhooks of one person.'),
      feeds: z.int().describe('Feeds of one person.'),
      bodyBytes: z.int().describe('Bytes in the body of a request.'),
    }),
  })
  .meta({ id: 'Discovery' })

export const discovery = operation({
  id: 'discovery',
  method: 'GET',
  path: '',
  tag: 'Discovery',
  summary: 'Discover the API',
  description: 'Versions, authentication methods, the MCP endpoint and all scopes. Public.',
  access: everyone,
  output: Discovery,
  cached: { control: 'public, max-age=60' },
  run: async ({ services }) => ({
    api: { version: 'v1', minimumSupportedVersion: 'v1', documentation: '/api/v1/openapi.yaml' },
    instance: { name: 'Contrail', version: services.version },
    authentication: {
      methods: ['api_key', 'oauth2_authorization_code_pkce'],
      bearerHeader: 'Authorization: Bearer <credential>',
    },
    mcp: { enabled: true, transport: 'streamable-http', endpoint: '/api/mcp', oauth: true },
    scopes: scopes.map((name) => ({ name, description: scopeDescription(name) })),
    features: features.filter((name) => {
      if (name === 'webhooks') return services.config.webhooks
      return name !== 'flight-lookup' || services.lookups.providers.length > 0
    }),
    limits: {
      bulk: BULK_OPERATIONS_AT_MOST,
      changes: CHANGES_AT_MOST,
      externalIds: EXTERNAL_IDS_AT_MOST,
      webhooks: WEBHOOKS_PER_PERSON,
      feeds: FEEDS_AT_MOST,
      bodyBytes: services.config.bodySizeLimit,
    },
  }),
})
