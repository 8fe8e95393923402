// The certificate for receiving mail over TLS (STARTTLS): two files that another program renews.
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync, unwatchFile, watchFile } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { type Config, ConfigError } from '../../base/config.ts'
import { whyUnreadable } from '../../base/secret-file.ts'

export type MailCertificateFiles = NonNullable<NonNullable<Config['mailIn']>['tls']>

interface MailCertificate {
  cert: Buffer
  key: Buffer
  /** As a time value. */
  expiresAt: number
}

/** Throws ConfigError, which names the setting and what to do. */
export function readMailCertificate(files: MailCertificateFiles): MailCertificate {
  const cert = readFileOf('MAIL_IN_TLS_CERT', files.cert)
  const key = readFileOf('MAIL_IN_TLS_KEY', files.key)
  const certificate = parsed(
    () => new X509Certificate(cert),
    `MAIL_IN_TLS_CERT: ${files.cert} is not a certificate; give a PEM file with the server's certificate first, followed by the rest of the chain`,
  )
  const privateKey = parsed(
    () => createPrivateKey(key),
    `MAIL_IN_TLS_KEY: ${files.key} is not a private key; give a PEM file without a passphrase`,
  )
  if (!certificate.checkPrivateKey(privateKey))
    throw new ConfigError(
      `MAIL_IN_TLS_KEY: ${files.key} does not belong to the certificate in ${files.cert}; give the key that was made for it`,
    )
  // TLS requires more than the first certificate and its key: a complete chain and keys of sufficient length.
  parsed(
    () => createSecureContext({ cert, key }),
    (reason) =>
      `MAIL_IN_TLS_CERT: ${files.cert} cannot be used for encryption (${reason}); give a PEM file with the whole chain, made with a key of today's length`,
  )
  return {
    cert,
    key,
    expiresAt: Date.parse(certificate.validTo),
  }
}

function readFileOf(setting: string, file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new ConfigError(`${setting}: ${file} cannot be read (${whyUnreadable(error)})`)
  }
}

function parsed<Result>(parse: () => Result, otherwise: string | ((reason: string) => string)): Result {
  try {
    return parse()
  } catch (error) {
    throw new ConfigError(typeof otherwise === 'string' ? otherwise : otherwise((error as Error).message))
  }
}

/** Calls back when one of the files was replaced; the returned function stops watching. Follows links. */
export function watchMailCertificate(
  { cert, key }: MailCertificateFiles,
  everyMs: number,
  changed: () => void,
): () => void {
  const files = [...new Set([cert, key])]
  for (const file of files) watchFile(file, { interval: everyMs, persistent: false }, changed)
  return () => {
    for (const file of files) unwatchFile(file, changed)
  }
}
