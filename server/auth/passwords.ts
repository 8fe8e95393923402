// Passwords: Argon2id, compared in constant time by the library, with the same work done for an unknown user.
import { hash, verify } from '@node-rs/argon2'

const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 }

export const hashPassword = (password: string): Promise<string> => hash(password.normalize('NFKC'), options)

/** A hash of a password that was thrown away: verifying against it costs what a real one costs. */
const DECOY =
  '$argon2id$v=19$m=19456,t=2,p=1$1q/ZkV37z5w2BSVcOHjxlQ$SI+d0V6aumdhc0C8eIKXpISbhtcte9/jhTQvkfPs/a4'

/** False for a wrong password and, after the same work, for a user that does not exist or has none. */
export async function passwordMatches(stored: string | null | undefined, password: string): Promise<boolean> {
  const matches = await verify(stored ?? DECOY, password.normalize('NFKC'))
  return matches && Boolean(stored)
}
