// Input and output of the passkey operations, with the names of the WebAuthn specification.
import * as z from 'zod'
import { RowId } from '../../domain/row-id.ts'

export const Passkey = z
  .object({
    id: RowId,
    name: z.string(),
    createdAt: z.string(),
    lastUsedAt: z.string().nullable(),
  })
  .meta({ id: 'Passkey' })

export const PasskeyName = z.string().trim().min(1).max(60)

/** Binary values as browsers send them. A credential's id has at most 1,023 bytes (WebAuthn §5.8.3). */
const base64url = (longest: number) =>
  z
    .string()
    .min(1)
    .max(longest)
    .regex(/^[\w-]+$/)
const credentialWith = <Response extends z.ZodRawShape>(response: Response) =>
  z.object({
    id: base64url(1364),
    rawId: base64url(1364),
    type: z.literal('public-key'),
    response: z.object({ clientDataJSON: base64url(4000), ...response }),
  })

export const RegistrationInput = credentialWith({
  attestationObject: base64url(8000),
  transports: z.array(z.string().max(20)).max(10).optional(),
}).meta({ id: 'PasskeyRegistration' })

export const AuthenticationInput = credentialWith({
  authenticatorData: base64url(2000),
  signature: base64url(2000),
  userHandle: base64url(100).optional(),
}).meta({ id: 'PasskeyAuthentication' })

/** Passed to `navigator.credentials` by the browser, with the names of the WebAuthn specification. */
const Descriptor = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.array(z.string()).optional(),
})
export const CreationOptions = z
  .object({
    challenge: z.string(),
    rp: z.object({ name: z.string(), id: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    pubKeyCredParams: z.array(z.object({ alg: z.int(), type: z.literal('public-key') })),
    timeout: z.int(),
    attestation: z.literal('none'),
    excludeCredentials: z.array(Descriptor),
    authenticatorSelection: z.object({
      residentKey: z.literal('required'),
      requireResidentKey: z.literal(true),
      userVerification: z.literal('required'),
    }),
    extensions: z.object({ credProps: z.boolean() }),
    hints: z.array(z.enum(['hybrid', 'security-key', 'client-device'])),
  })
  .meta({ id: 'PasskeyCreationOptions' })
export const RequestOptions = z
  .object({
    challenge: z.string(),
    rpId: z.string(),
    timeout: z.int(),
    userVerification: z.literal('required'),
    allowCredentials: z.array(Descriptor).optional(),
  })
  .meta({ id: 'PasskeyRequestOptions' })
