/** Reads pasted claims: JSON, or an ID token, of which only the payload is used. */
import type { Claims } from '../../../../server/domain/access/role-rules.ts'

export function claimsIn(pasted: string): Claims | undefined {
  const text = pasted.trim()
  const [, payload] = /^[\w-]+\.([\w-]+)\.[\w-]*$/.exec(text) ?? []
  try {
    const value: unknown = JSON.parse(payload === undefined ? text : decoded(payload))
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Claims)
      : undefined
  } catch {
    return undefined
  }
}

function decoded(base64url: string): string {
  const binary = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
  return new TextDecoder().decode(Uint8Array.from(binary, (character) => character.charCodeAt(0)))
}
