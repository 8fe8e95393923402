// Passwords: Argon2id, compared in constant time by the library, with the same work done for an unknown user.
import { hash, verify } from '@node-rs/argon2'

const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 }

export const hashPassword = (password: string): Promise<string> => hash(password.normalize('NFKC'), options)

/** A hash nobody knows the password of: verifying against it costs what a real one costs. */
const decoy = hashPassword(crypto.randomUUID())

/** False for a wrong password and, after the same work, for a user that does not exist or has none. */
export async function passwordMatches(stored: string | null | undefined, password: string): Promise<boolean> {
  const matches = await verify(stored ?? (await decoy), password.normalize('NFKC'))
  return matches && Boolean(stored)
}
