// How a page of the documentation looks: the bar, the menu of all pages, the list of its headings.
import { attribute, Html, html } from '../server/pages/html.ts'

interface Linked {
  /** Below the root of the site; one that ends with `/`, or is empty, is the index of a folder. */
  path: string
  title: string
}

export interface RenderedPage extends Linked {
  body: string
}

/** Pages by group. */
export type Menu<P extends Linked = Linked> = Readonly<Record<string, readonly P[]>>

interface Site {
  menu: Menu
  pages: readonly RenderedPage[]
  version: string
}

const mark = html`<svg viewBox="0 0 32 32" aria-hidden="true"><path class="limb" d="M3.5 25.5a19 19 0 0 1 25 0" /><path d="M5.5 21C9 12.5 15 7.5 24.5 6" /><circle cx="25.5" cy="5.8" r="2.6" /></svg>`

export const between = (from: string, to: string) =>
  `${'../'.repeat(from.split('/').length - 1)}${to}` || './'

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
/** The text of a page or of a part of it. */
export const plain = (body: string): string =>
  body
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => entities[name]!)
    .replace(/\s+/g, ' ')
    .trim()

const headingsOf = (body: string) =>
  [...body.matchAll(/<h2 id="([^"]*)">([\s\S]*?)<\/h2>/g)].map(([, id, text]) => ({
    id,
    text: plain(text!),
  }))

export function documentOf(given: RenderedPage, site: Site): string {
  const { path, title, body } = given
  const asset = (name: string) => between(path, `assets/${name}`)
  const headings = headingsOf(body)
  const toc = headings.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`)
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${path !== '' && html`${title} · `}Contrail documentation</title>
<link rel="icon" href="${asset('icon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${asset('docs.css')}">
<script src="${asset('theme.js')}"></script>
<script type="module" src="${asset('docs.js')}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header>
<button type="button" popovertarget="menu">Menu</button>
<a class="brand" href="${between(path, '')}">${mark}<span>Contrail</span> <small>${site.version}</small></a>
<form role="search" hidden><input type="search" aria-label="Search the documentation" placeholder="Search" autocomplete="off"><div class="results" hidden><p role="status"></p><ol></ol></div></form>
</header>
<div class="page">
<nav id="menu" popover aria-label="Pages">${menuOf(given, site)}</nav>
${toc.length > 1 && html`<nav class="toc" aria-label="On this page"><details><summary>On this page</summary><ul>${toc}</ul></details></nav>`}
<main id="content">${new Html(body)}</main>
</div>
</body>
</html>
`.text
}

const menuOf = ({ path }: RenderedPage, { menu, pages }: Site): Html[] =>
  Object.entries(menu).map(([group, members]) => {
    const links = members.map((one) => {
      const inner = pages.filter((other) => other.path !== one.path && other.path.startsWith(one.path))
      return html`<li>${pageLink(one, path)}${one.path === 'api/' && path.startsWith('api/') && html`<ul>${inner.map((tag) => html`<li>${pageLink(tag, path)}</li>`)}</ul>`}</li>`
    })
    return html`<h2>${group}</h2><ul>${links}</ul>`
  })

const pageLink = ({ path, title }: Linked, from: string): Html =>
  html`<a href="${between(from, path)}"${attribute('aria-current="page"', path === from)}>${title}</a>`
