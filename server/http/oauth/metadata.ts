// The metadata for discovery (RFC 8414, RFC 9728). Derived from the configured origin, never from a request's Host.
import { scopes } from '../../domain/access/access.ts'
import { type ProtectedResource, protectedResources } from './resources.ts'

const clientAuthMethods = ['none', 'client_secret_post', 'client_secret_basic']

export const authorizationServerMetadata = (origin: string, clientIdDocuments: boolean) => ({
  issuer: origin,
  authorization_endpoint: `${origin}/oauth/authorize`,
  token_endpoint: `${origin}/oauth/token`,
  registration_endpoint: `${origin}/oauth/register`,
  revocation_endpoint: `${origin}/oauth/revoke`,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: clientAuthMethods,
  revocation_endpoint_auth_methods_supported: clientAuthMethods,
  scopes_supported: scopes,
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: clientIdDocuments,
  protected_resources: Object.values(protectedResources(origin)).map((resource) => resource.url),
  service_documentation: `${origin}/api/v1/openapi.yaml`,
  ui_locales_supported: ['en'],
})

export const protectedResourceMetadata = (origin: string, resource: ProtectedResource) => ({
  resource: resource.url,
  resource_name: resource.title,
  authorization_servers: [origin],
  bearer_methods_supported: ['header'],
  scopes_supported: resource.offeredScopes,
  resource_documentation: `${origin}/api/v1/openapi.yaml`,
})
