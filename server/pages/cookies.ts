// The names and flags of the session cookie and the known-browser cookie. Under https they have the __Host- prefix,
// which pins them to this origin.

export interface SessionCookie {
  read(header: string | undefined): string | undefined
  set(secret: string, maxAgeSeconds: number): string
  clear(): string
}

export function createSessionCookie(origin: string): SessionCookie {
  const secure = origin.startsWith('https:')
  const name = secure ? '__Host-contrail' : 'contrail'
  const flags = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
  return {
    read: (header) => readCookie(header, name),
    set: (secret, maxAgeSeconds) => `${name}=${secret}; ${flags}; Max-Age=${maxAgeSeconds}`,
    clear: () => `${name}=; ${flags}; Max-Age=0`,
  }
}

/** Outlives sessions and is read only at sign-in. Not Strict, because sign-in may return from a provider. */
export const knownBrowserCookie = (origin: string) => {
  const secure = origin.startsWith('https:')
  const name = secure ? '__Host-contrail-known' : 'contrail-known'
  const flags = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
  return {
    read: (header: string | undefined) => readCookie(header, name),
    set: (value: string, maxAgeSeconds: number) => `${name}=${value}; ${flags}; Max-Age=${maxAgeSeconds}`,
  }
}

/**
 * Data that one step of a sign-in stores in the browser for the next. Lax, because the provider's response comes from another
 * site; except `trusted`, which only our own form needs.
 */
export type StepCookie = 'pending' | 'provider' | 'link' | 'link-begun' | 'signed-out' | 'trusted'

export const stepCookie = (origin: string, step: StepCookie) => {
  const secure = origin.startsWith('https:')
  const name = `${secure ? '__Host-' : ''}contrail-${step}`
  const site = step === 'trusted' ? 'Strict' : 'Lax'
  const flags = `Path=/; HttpOnly; SameSite=${site}${secure ? '; Secure' : ''}`
  return {
    read: (header: string | undefined) => readCookie(header, name),
    set: (value: string, maxAgeSeconds: number) => `${name}=${value}; ${flags}; Max-Age=${maxAgeSeconds}`,
    clear: () => `${name}=; ${flags}; Max-Age=0`,
  }
}

/** The first cookie of that name. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const part of header?.split(';') ?? []) {
    const [key, ...value] = part.trim().split('=')
    if (key === name) return value.join('=')
  }
  return undefined
}
