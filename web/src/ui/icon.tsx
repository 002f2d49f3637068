/** Line icons on a grid of 16, drawn for this program. */
const paths = {
  plus: 'M8 3v10M3 8h10',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM10.5 10.5 14 14',
  pen: 'M3 13l.7-2.8L11 2.9l2.1 2.1-7.3 7.3L3 13Z',
  bin: 'M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5l.5 9h6l.5-9',
  tick: 'M3.5 8.5l3 3 6-7',
  cross: 'M4 4l8 8M12 4l-8 8',
  stop: 'M4.5 4.5h7v7h-7Z',
  send: 'M8 13V3M3.5 7.5 8 3l4.5 4.5',
  copy: 'M6 5.5h7v8H6ZM3 10.5v-8h7',
  again: 'M13 8a5 5 0 1 1-1.5-3.6M13 2.5v3h-3',
  up: 'M5 7.5v6M5 7.5 8 2.5c1.2 0 1.8.8 1.6 2L9.2 7H13l-.8 5.2c-.1.8-.7 1.3-1.5 1.3H5M2.5 7.5v6',
  down: 'M5 8.5v-6M5 8.5l3 5c1.2 0 1.8-.8 1.6-2L9.2 9H13l-.8-5.2c-.1-.8-.7-1.3-1.5-1.3H5M2.5 8.5v-6',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  chevron: 'M6 3.5 10.5 8 6 12.5',
  down_chevron: 'M3.5 6 8 10.5 12.5 6',
  download: 'M8 2.5v8M4.5 7.5 8 11l3.5-3.5M3 13.5h10',
  external: 'M9 3h4v4M13 3 7 9M11 9.5V13H3V5h3.5',
  sun: 'M8 10.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6ZM8 1.5v1.3M8 13.2v1.3M1.5 8h1.3M13.2 8h1.3M3.4 3.4l.9.9M11.7 11.7l.9.9M3.4 12.6l.9-.9M11.7 4.3l.9-.9',
  moon: 'M13 9.5A5.5 5.5 0 0 1 6.5 3 5.5 5.5 0 1 0 13 9.5Z',
  half: 'M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11ZM8 2.5v11M8 5.5h4.6M8 8h5.4M8 10.5h4.6',
  trace: 'M2.5 4h5M5.5 8h6M8.5 12h5',
  gear: 'M2.5 5h6M11.5 5h2M2.5 11h2M7.5 11h6M10 3.5v3M6 9.5v3',
  arrow: 'M3 8h10M9 4l4 4-4 4',
} as const;

export type IconName = keyof typeof paths;

export const Icon = ({ name, size = 16 }: { name: IconName; size?: number }) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 16 16"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.4"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    className="shrink-0"
  >
    <path d={paths[name]} />
  </svg>
);
