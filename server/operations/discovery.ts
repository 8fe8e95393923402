// What a client can read before it has a credential.
import * as z from 'zod'
import { scopeDescription, scopes } from '../domain/access.ts'
import { everyone, operation } from '../operation.ts'

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
  cacheControl: 'public, max-age=60',
  run: async ({ services }) => ({
    api: { version: 'v1', minimumSupportedVersion: 'v1', documentation: '/api/v1/openapi.yaml' },
    instance: { name: 'Contrail', version: services.version },
    authentication: {
      methods: ['api_key', 'oauth2_authorization_code_pkce'],
      bearerHeader: 'Authorization: Bearer <credential>',
    },
    mcp: { enabled: true, transport: 'streamable-http', endpoint: '/api/mcp', oauth: true },
    scopes: scopes.map((name) => ({ name, description: scopeDescription(name) })),
  }),
})
