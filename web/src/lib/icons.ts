/** Our own line icons on a 24 px grid; each entry is the `d` of one stroked path. */
export const icons = {
  globe:
    'M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18ZM3 12h18M12 3c3 2.6 4 5.7 4 9s-1 6.400-4 9c-3-2.600-4-5.700-4-9s1-6.400 4-9Z',
  list: 'M4 6h2M10 6h10M4 12h2M10 12h10M4 18h2M10 18h10',
  chart: 'M4 20V10M10 20V4M16 20v-8M21 20H3',
  flag: 'M5 21V4M5 4c4-2 8 2 13 0v10c-5 2-9-2-13 0',
  gear: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 5v4M9 15v4',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  expand: 'M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  search: 'M11 4a7 7 0 1 0 0 14a7 7 0 0 0 0-14ZM16 16l4.500 4.500',
  filter: 'M4 6h16M7 12h10M10 18h4',
  close: 'M6 6l12 12M18 6L6 18',
  check: 'M5 12.500l4.500 4.500L19 7',
  trash: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5',
  pencil: 'M4 20l1-4L16 5l3 3L8 19l-4 1ZM14 7l3 3',
  left: 'M15 5l-7 7l7 7',
  right: 'M9 5l7 7l-7 7',
  down: 'M5 9l7 7l7-7',
  up: 'M5 15l7-7l7 7',
  swap: 'M7 4L4 7l3 3M4 7h13M17 14l3 3l-3 3M20 17H7',
  user: 'M12 4a4 4 0 1 0 0 8a4 4 0 0 0 0-8ZM4 21c0-4 3.500-6 8-6s8 2 8 6',
  plane:
    'M3 13l3 .5L8 11L4 5l2-.5L12.500 9l5-2.500c1.500-.7 3.200-.2 3.500.6c.3.900-.5 2-2 2.500L7 15.500L4.500 16ZM4 20h16',
  upload: 'M12 16V4M7 9l5-5l5 5M4 16v4h16v-4',
  download: 'M12 4v12M7 11l5 5l5-5M4 16v4h16v-4',
  warn: 'M12 4L2.500 20h19L12 4ZM12 10v4M12 17h.01',
  info: 'M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18ZM12 11v5M12 8h.01',
  copy: 'M9 9h11v11H9ZM5 15H4V4h11v1',
  out: 'M14 4H5v16h9M10 12h11M17 8l4 4l-4 4',
  track: 'M4 19c3 0 3-6 7-6s3-8 9-8M4 19h.01M20 5h.01',
  note: 'M5 4h14v11l-5 5H5ZM14 20v-5h5M8 9h8M8 13h4',
  link: 'M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1',
  sun: 'M12 8a4 4 0 1 0 0 8a4 4 0 0 0 0-8ZM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.500 1.500M17.500 17.500L19 19M19 5l-1.500 1.500M6.500 17.500L5 19',
} as const

export type IconName = keyof typeof icons
