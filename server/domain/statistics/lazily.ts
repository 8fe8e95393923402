/** An object whose values are computed when they are first read. */
export function lazily<Made extends object>(makers: { [Name in keyof Made]: () => Made[Name] }): Made {
  const made = {} as Made
  for (const name of Object.keys(makers) as (keyof Made)[]) {
    let known: { value: Made[keyof Made] } | undefined
    Object.defineProperty(made, name, {
      enumerable: true,
      get: () => {
        known ??= { value: makers[name]() }
        return known.value
      },
    })
  }
  return made
}
