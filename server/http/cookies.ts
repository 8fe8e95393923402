// The session cookie, its name and its flags. Under https it carries the __Host- prefix, which pins it to this origin.

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

/** The first cookie of that name. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const part of header?.split(';') ?? []) {
    const [key, ...value] = part.trim().split('=')
    if (key === name) return value.join('=')
  }
  return undefined
}
