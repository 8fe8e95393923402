/** A path with a query as people read it: commas separate ids there and need no escape. */
export function addressOf(path: string, query: URLSearchParams): string {
  const text = query.toString().replaceAll('%2C', ',')
  return text ? `${path}?${text}` : path
}
