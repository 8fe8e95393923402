/** Light, dark or system theme. `theme.dark` is the theme in effect, for code that draws on a canvas. */
export type Theme = 'auto' | 'light' | 'dark'

export const themeNames = { auto: 'nav.themeAuto', light: 'nav.themeLight', dark: 'nav.themeDark' } as const

const store = 'contrail.theme'
const system = matchMedia('(prefers-color-scheme: dark)')

function stored(): Theme {
  const value = localStorage.getItem(store)
  return value === 'light' || value === 'dark' ? value : 'auto'
}

let chosen = $state<Theme>(stored())
let systemDark = $state(system.matches)
system.addEventListener('change', () => {
  systemDark = system.matches
})

export const theme = {
  get chosen(): Theme {
    return chosen
  },
  get dark(): boolean {
    return chosen === 'auto' ? systemDark : chosen === 'dark'
  },
}

export function setTheme(next: Theme): void {
  if (next === 'auto') {
    localStorage.removeItem(store)
    delete document.documentElement.dataset.theme
  } else {
    localStorage.setItem(store, next)
    document.documentElement.dataset.theme = next
  }
  chosen = next
}
