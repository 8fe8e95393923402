// WebAuthn ceremonies: the options for the browser, and whether its response is valid for this site. The caller knows the open
// challenges and the owner of the passkey.
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server'
import { PASSKEY_CHALLENGE_MS } from '../../domain/accounts/sign-in.ts'

// Loaded with the first passkey: it needs as much memory as a small instance uses, and many instances have no passkeys.
const library = () => import('@simplewebauthn/server')
const helpers = () => import('@simplewebauthn/server/helpers')

/** Ed25519, ES256 and RS256 by their COSE numbers; every authenticator supports one of them. */
const algorithms = [-8, -7, -257]

interface Known {
  credentialId: string
  transports: readonly string[]
}

const described = ({ credentialId, transports }: Known) => ({
  id: credentialId,
  transports: [...transports],
})

/** Passkeys belong to the host, whatever its port. */
const rpIdOf = (origin: string): string => new URL(origin).hostname

interface Newcomer {
  origin: string
  person: { id: string; username: string; displayName: string }
  /** The person's passkeys; their authenticators do not create another one. */
  existing: readonly Known[]
}

export const registrationOptions = async ({
  origin,
  person,
  existing,
}: Newcomer): Promise<PublicKeyCredentialCreationOptionsJSON> =>
  (await library()).generateRegistrationOptions({
    rpName: 'Contrail',
    rpID: rpIdOf(origin),
    userID: new TextEncoder().encode(person.id),
    userName: person.username,
    userDisplayName: person.displayName,
    attestationType: 'none',
    timeout: PASSKEY_CHALLENGE_MS,
    excludeCredentials: existing.map(described),
    supportedAlgorithmIDs: algorithms,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })

/** Without `allowed`, the browser offers every passkey that it has for this site. */
export const authenticationOptions = async (
  origin: string,
  allowed: readonly Known[] = [],
): Promise<PublicKeyCredentialRequestOptionsJSON> =>
  (await library()).generateAuthenticationOptions({
    rpID: rpIdOf(origin),
    timeout: PASSKEY_CHALLENGE_MS,
    userVerification: 'required',
    allowCredentials: allowed.map(described),
  })

/** The challenge that a response claims to be for; undefined if it names none. */
export function claimedChallenge(clientDataJson: string): string | undefined {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJson, 'base64url').toString()) ?? {}
    return typeof challenge === 'string' ? challenge : undefined
  } catch {
    return undefined
  }
}

/** Whether another site shows our page in a frame, which is never allowed. */
function isFramed(clientDataJson: string): boolean {
  const { crossOrigin } = JSON.parse(Buffer.from(clientDataJson, 'base64url').toString())
  return crossOrigin !== undefined && crossOrigin !== false
}

/** The browser's response to a ceremony, every part as base64url. */
interface CredentialJson<Response extends { clientDataJSON: string }> {
  id: string
  rawId: string
  type: 'public-key'
  response: Response
}
type RegistrationJson = CredentialJson<{ clientDataJSON: string; attestationObject: string }>
export type AuthenticationJson = CredentialJson<{
  clientDataJSON: string
  authenticatorData: string
  signature: string
  /** The owner's id, as the authenticator stores it. */
  userHandle?: string | undefined
}>

interface NewCredential {
  credentialId: string
  publicKey: string
  counter: number
  aaguid: string
}

/** The new credential; undefined if the response does not match this challenge and site. */
export async function verifyRegistration(
  sent: RegistrationJson,
  { origin, challenge }: { origin: string; challenge: string },
): Promise<NewCredential | undefined> {
  try {
    const { clientDataJSON, attestationObject } = sent.response
    if (isFramed(clientDataJSON) || !(await isUnattested(attestationObject))) return undefined
    const { verified, registrationInfo } = await (await library()).verifyRegistrationResponse({
      response: { ...sent, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpIdOf(origin),
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    })
    // The id from the page must be the one that the authenticator made.
    if (!verified || registrationInfo.credential.id !== sent.id) return undefined
    const { credential, aaguid } = registrationInfo
    const publicKey = Buffer.from(credential.publicKey).toString('base64url')
    return { credentialId: credential.id, publicKey, counter: credential.counter, aaguid }
  } catch {
    return undefined
  }
}

/**
 * We request no attestation. A statement with certificates is not verified: the library would fetch revocation lists from
 * addresses in the certificates.
 */
async function isUnattested(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await helpers()
  const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')))
  const format = decoded.get('fmt')
  return format === 'none' || (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined)
}

interface Asked {
  origin: string
  challenge: string
  passkey: { credentialId: string; publicKey: string; userId: string }
}

/**
 * The authenticator's counter; undefined if the response does not match this passkey, challenge and site. The caller compares
 * the counter, because only after verification is it known to be signed by the key.
 */
export async function verifyAuthentication(
  sent: AuthenticationJson,
  { origin, challenge, passkey }: Asked,
): Promise<number | undefined> {
  try {
    const { userHandle, ...response } = sent.response
    if (isFramed(response.clientDataJSON)) return undefined
    if (userHandle !== undefined && userHandle !== Buffer.from(passkey.userId).toString('base64url')) {
      return undefined
    }
    const publicKey = new Uint8Array(Buffer.from(passkey.publicKey, 'base64url'))
    const { verified, authenticationInfo } = await (await library()).verifyAuthenticationResponse({
      response: { ...sent, response, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpIdOf(origin),
      requireUserVerification: true,
      credential: { id: passkey.credentialId, publicKey, counter: 0 },
    })
    return verified ? authenticationInfo.newCounter : undefined
  } catch {
    return undefined
  }
}
