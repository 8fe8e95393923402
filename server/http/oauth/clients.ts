// Finds a client by its id and, at endpoints that clients call directly, authenticates it (RFC 6749 §2.3).
import { timingSafeEqual } from 'node:crypto'
import { hashSecret } from '../../base/secret/secrets.ts'
import type { Parameters } from '../../pages/form.ts'
import { findClient, type OAuthClient } from '../../store/access/oauth/clients.ts'
import type { Executor } from '../../store/engine/engine.ts'
import { invalidRequest, OAuthError } from './errors.ts'

interface Credentials {
  id: string
  secret: string | undefined
  basic: boolean
}

/** The client behind a token or revocation request, proven by its secret if it has one. */
export async function requireAuthenticatedClient(
  db: Executor,
  form: Parameters,
  authorization: string | undefined,
  now: string,
): Promise<OAuthClient> {
  const given = readCredentials(form, authorization)
  const client = await findClient(db, { id: given.id, now })
  if (!client || !proves(given, client)) throw invalidClient(given.basic)
  return client
}

function readCredentials(form: Parameters, authorization: string | undefined): Credentials {
  const id = form.one('client_id')
  const secret = form.one('client_secret')
  const header = /^basic[ \t]+(\S+)[ \t]*$/i.exec(authorization ?? '')
  if (!header) {
    if (!id) throw invalidRequest('client_id is required')
    return { id, secret, basic: false }
  }
  if (secret) throw invalidRequest('Use only one method of client authentication')
  const basic = decodeBasic(header[1]!)
  if (!basic) throw invalidClient(true)
  if (id && id !== basic.id) throw invalidRequest('client_id does not match the Authorization header')
  return basic
}

/** `id:secret`, each form-encoded, in base64. */
function decodeBasic(encoded: string): Credentials | undefined {
  const [id, ...secret] = Buffer.from(encoded, 'base64').toString().split(':')
  try {
    const decoded = [id ?? '', secret.join(':')].map((part) => decodeURIComponent(part.replaceAll('+', ' ')))
    if (decoded.some((part) => part.includes('\u0000'))) return undefined
    return { id: decoded[0]!, secret: decoded[1] || undefined, basic: true }
  } catch {
    return undefined
  }
}

function proves(given: Credentials, client: OAuthClient): boolean {
  if (client.authMethod === 'none') return given.secret === undefined
  if (!client.secretHash || given.secret === undefined) return false
  return timingSafeEqual(Buffer.from(hashSecret(given.secret)), Buffer.from(client.secretHash))
}

const invalidClient = (basic: boolean) =>
  new OAuthError('invalid_client', 'The client is unknown or its authentication failed', {
    status: 401,
    headers: basic ? { 'www-authenticate': 'Basic realm="contrail", charset="UTF-8"' } : {},
  })
