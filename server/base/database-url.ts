// A PostgreSQL address may name several servers, as libpq writes them: `postgres://user:password@a:5432,b:5432/contrail`, or
// lists in `?host=a,b&port=5432,5433`. Turns it into one ordinary address per server.

/** In the order of the address. */
export function serversOf(databaseUrl: string): string[] {
  const [, start = '', authority = '', rest = ''] = /^(\w+:\/\/)([^/?#]*)(.*)$/s.exec(databaseUrl) ?? []
  const at = authority.lastIndexOf('@') + 1
  const credentials = authority.slice(0, at)
  return authority
    .slice(at)
    .split(',')
    .flatMap((host) => withListsTaken(start + credentials + host + rest))
}

/** One address for each host in the query’s list; a single port applies to all hosts. */
function withListsTaken(address: string): string[] {
  const url = URL.canParse(address) ? new URL(address) : undefined
  const hosts = url?.searchParams.get('host')?.split(',') ?? []
  if (!url || hosts.length < 2) return [address]
  const ports = url.searchParams.get('port')?.split(',') ?? []
  return hosts.map((host, i) => {
    url.searchParams.set('host', host)
    const port = ports.length > 1 ? ports[i] : ports[0]
    if (port !== undefined) url.searchParams.set('port', port)
    return url.href
  })
}

/** Where the servers are, without user and password. */
export const placesIn = (databaseUrl: string): string => serversOf(databaseUrl).map(placeIn).join(',')

function placeIn(address: string): string {
  if (!URL.canParse(address)) return 'the address in DATABASE_URL'
  const { host, searchParams } = new URL(address)
  return searchParams.get('host') ?? (decodeURIComponent(host) || 'localhost')
}
