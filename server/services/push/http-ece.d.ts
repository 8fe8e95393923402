// The package has no types of its own.
declare module 'http_ece' {
  import type { ECDH } from 'node:crypto'

  interface Parameters {
    version: 'aes128gcm'
    /** The receiver's public key and secret, as base64url. */
    dh: string
    authSecret: string
    privateKey: ECDH
    pad: number
  }
  const ece: { encrypt(text: Buffer, parameters: Parameters): Buffer }
  export default ece
}
