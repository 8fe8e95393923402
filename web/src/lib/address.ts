/** A path with a query in readable form: commas separate ids there and need no escaping. */
export function addressOf(path: string, query: URLSearchParams): string {
  const text = query.toString().replaceAll('%2C', ',')
  return text ? `${path}?${text}` : path
}
