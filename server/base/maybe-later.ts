// A value that is often known already. Awaiting it anyway would put the request behind all others that have arrived.

export type MaybeLater<Value> = Value | Promise<Value>

export const whenKnown = <Value, Result>(
  value: MaybeLater<Value>,
  use: (value: Value) => Result,
): MaybeLater<Result> => (value instanceof Promise ? value.then(use) : use(value))
