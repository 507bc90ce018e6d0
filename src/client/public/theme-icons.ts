import type { Theme } from '../../shared/theme-round.ts'

export const themeIcons: Record<Theme, string> = {
  system: 'M2 3h16v11H2zM6 18h8M10 14v4',
  light:
    'M10 6.5a3.5 3.5 0 1 0 .01 0M10 1v1.5M10 17.5V19M1 10h1.5M17.5 10H19M3.6 3.6l1 1M15.4 15.4l1 1M3.6 16.4l1-1M15.4 4.6l1-1',
  dark: 'M17.5 11A7.5 7.5 0 1 1 9 2.5a6 6 0 0 0 8.5 8.5z',
}
