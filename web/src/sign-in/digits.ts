/** The six digits on the page of the second step: highlights the current cell, and submits after pasting six. */

const DIGITS = 6

export function watchDigits(page: Document): void {
  const input = page.querySelector<HTMLInputElement>('.digits input')
  const form = input?.form
  const cells = input?.parentElement
  if (!input || !form || !cells) return
  // Without the script there is room for the space that some apps copy.
  input.maxLength = DIGITS

  const mark = (): void => {
    cells.dataset.at = String(Math.min(input.selectionStart ?? input.value.length, DIGITS - 1))
  }
  input.addEventListener('paste', (event) => {
    const digits = (event.clipboardData?.getData('text') ?? '').replaceAll(/\D/g, '')
    if (digits.length !== DIGITS) return
    event.preventDefault()
    input.value = digits
    mark()
    form.requestSubmit()
  })
  page.addEventListener('selectionchange', mark)
  input.addEventListener('input', mark)
  mark()
}
