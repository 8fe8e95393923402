/** The first of some items by an order, without sorting the rest. */
export function leading<Item>(
  items: Iterable<Item>,
  inOrder: (a: Item, b: Item) => number,
  most: number,
): Item[] {
  const found: Item[] = []
  for (const item of items) {
    if (found.length === most && inOrder(item, found[most - 1]!) >= 0) continue
    let at = found.length
    while (at > 0 && inOrder(item, found[at - 1]!) < 0) at--
    found.splice(at, 0, item)
    if (found.length > most) found.pop()
  }
  return found
}
