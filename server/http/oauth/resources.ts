// The two protected resources. A token is for exactly one of them (RFC 8707).
import { defaultMcpScopes, type Scope, scopes } from '../../domain/access/access.ts'

const resourcePaths = { v1: '/api/v1', mcp: '/api/mcp' } as const
type ResourceName = keyof typeof resourcePaths

export interface ProtectedResource {
  name: ResourceName
  path: string
  url: string
  title: string
  /** The scopes of a client that requests none. */
  defaultScopes: readonly Scope[]
  /** The scopes in its metadata; for MCP a useful minimum, because clients request all of them. */
  offeredScopes: readonly Scope[]
}

export const protectedResources = (origin: string): Record<ResourceName, ProtectedResource> => ({
  v1: {
    name: 'v1',
    path: resourcePaths.v1,
    url: origin + resourcePaths.v1,
    title: 'Contrail API',
    defaultScopes: [],
    offeredScopes: scopes,
  },
  mcp: {
    name: 'mcp',
    path: resourcePaths.mcp,
    url: origin + resourcePaths.mcp,
    title: 'Contrail MCP server',
    defaultScopes: defaultMcpScopes,
    offeredScopes: defaultMcpScopes,
  },
})

/** Finds the resource that a client names, ignoring the case of scheme and host and one trailing slash. */
export function findResource(origin: string, given: string): ProtectedResource | undefined {
  const [, server = '', path = ''] = /^([a-z]+:\/\/[^/@\\]+)(\/.*)$/i.exec(given) ?? []
  if (!URL.canParse(server) || new URL(server).origin !== origin) return undefined
  const known = Object.values(protectedResources(origin))
  return known.find((resource) => resource.path === path.replace(/\/$/, ''))
}
