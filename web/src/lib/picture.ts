// Turns an SVG on the page into a self-contained file, SVG or PNG, with the font embedded.

const fontUrl = '/fonts/inter-latin-wght-normal.woff2'

function asDataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(blob)
  })
}

/** If the font cannot be loaded, the file uses the system's sans serif font. */
async function fontFace(): Promise<string> {
  try {
    const response = await fetch(fontUrl)
    if (!response.ok) return ''
    const data = await asDataUrl(await response.blob())
    const source = data.replace(/^data:[^;]*/, 'data:font/woff2')
    return `@font-face{font-family:"Inter Variable";font-weight:100 900;src:url(${source}) format("woff2")}`
  } catch {
    return ''
  }
}

export async function svgFile(svg: SVGSVGElement): Promise<Blob> {
  const copy = svg.cloneNode(true) as SVGSVGElement
  const { width, height } = svg.viewBox.baseVal
  copy.removeAttribute('class')
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  copy.setAttribute('width', String(width))
  copy.setAttribute('height', String(height))
  const style = document.createElementNS('http://www.w3.org/2000/svg', 'style')
  style.textContent = await fontFace()
  copy.prepend(style)
  return new Blob([new XMLSerializer().serializeToString(copy)], { type: 'image/svg+xml' })
}

export async function pngFile(svg: SVGSVGElement): Promise<Blob> {
  const { width, height } = svg.viewBox.baseVal
  const image = new Image(width, height)
  image.src = await asDataUrl(await svgFile(svg))
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  canvas.getContext('2d')!.drawImage(image, 0, 0, width, height)
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png')
  })
}

export function saveFile(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
