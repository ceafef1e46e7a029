/**
 * The values of the look: the scales of type and space, the shapes, and the roles of colours in both schemes. README.md beside the
 * pages says how to use them.
 *
 * Mantine leaves some colours too pale to read: of links, of descriptions, placeholders and errors of fields, of the titles of
 * warnings, of light badges, and behind the labels of red buttons. Each has here a contrast of at least 4.5 to 1 on the backgrounds
 * of its scheme (WCAG 2.2, 1.4.3).
 */
import {
  Button,
  type CSSVariablesResolver,
  createTheme,
  Input,
  InputWrapper,
  Notification,
  Tooltip,
} from '@mantine/core';

/** The theme for `MantineProvider`. */
export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 8, dark: 7 },
  colors: {
    gray: [
      '#fafaf9',
      '#f5f4f2',
      '#e9e8e6',
      '#dedcd9',
      '#cfccc8',
      '#a8a29e',
      '#857e77',
      '#6b655f',
      '#57534e',
      '#1c1b1a',
    ],
    dark: [
      '#f1efec',
      '#b8b2aa',
      '#948d86',
      '#4a4744',
      '#35322f',
      '#2a2826',
      '#1e1d1c',
      '#171716',
      '#131312',
      '#0c0c0b',
    ],
  },
  black: '#1c1b1a',
  defaultRadius: 'md',
  radius: { xs: '2px', sm: '4px', md: '7px', lg: '9px', xl: '12px' },
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  fontSizes: { xs: '12.5px', sm: '13.5px', md: '15px', lg: '17px', xl: '20px' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '20px', lineHeight: '26px' },
      h2: { fontSize: '17px', lineHeight: '25px' },
      h3: { fontSize: '15px', lineHeight: '22px' },
      h4: { fontSize: '15px', lineHeight: '22px' },
    },
  },
  respectReducedMotion: true,
  components: {
    // Without motion, Mantine leaves the spinner beside the middle of its button.
    Button: Button.extend({
      styles: { root: { fontWeight: 500 }, loader: { transform: 'translate(-50%, -50%)' } },
    }),
    // Texts of people, in the direction of their script. Mantine's own `dir` is that of the box around, which has no text.
    Input: Input.extend({ defaultProps: { attributes: { input: { dir: 'auto' } } } }),
    // Help stands under its field, so that fields in one row begin at one height.
    InputWrapper: InputWrapper.extend({
      defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] },
    }),
    // A picture without a name otherwise.
    ComboboxChevron: { defaultProps: { 'aria-hidden': true } },
    Notification: Notification.extend({ defaultProps: { closeButtonProps: { 'aria-label': 'Dismiss' } } }),
    Tooltip: Tooltip.extend({
      defaultProps: { openDelay: 300, events: { hover: true, focus: true, touch: false } },
    }),
  },
});

/** The texts of light badges by colour, on white and on the page in dark colours. */
const badgeTexts: Readonly<Record<string, readonly [light: string, dark: string]>> = {
  gray: ['#343a40', '#ced4da'],
  red: ['#a51111', '#ffa8a8'],
  orange: ['#8f3c00', '#ffc078'],
  yellow: ['#6b4a00', '#ffe066'],
  green: ['#1e6b2e', '#8ce99a'],
  teal: ['#05674d', '#63e6be'],
  blue: ['#1259a3', '#a5d8ff'],
  violet: ['#5a2ebf', '#d0bfff'],
  pink: ['#98174f', '#fcc2d7'],
};

const badgeVariables = (scheme: 0 | 1) =>
  Object.fromEntries(
    Object.entries(badgeTexts).map(([color, texts]) => [
      `--mantine-color-${color}-light-color`,
      texts[scheme],
    ]),
  );

/** The backgrounds of light badges and messages in dark colours, where those of Mantine are as strong as what stands on them. */
const darkBackgrounds = Object.fromEntries(
  Object.keys(badgeTexts).map((color) => [
    `--mantine-color-${color}-light`,
    `color-mix(in srgb, var(--mantine-color-${color}-9) 28%, var(--mantine-color-body))`,
  ]),
);

/**
 * The variables of the roles that Mantine has none for: the ground of the navigation, the ground and the text of what is chosen, the ring of
 * the focus, and the dots of states.
 */
const roles = ({ wall, chosen, accent, focus, ...dots }: Readonly<Record<string, string>>) => ({
  '--wall': wall ?? '',
  '--chosen': chosen ?? '',
  '--chosen-text': accent ?? '',
  '--focus': focus ?? '',
  ...Object.fromEntries(Object.entries(dots).map(([color, value]) => [`--dot-${color}`, value])),
});

/** The variables for `MantineProvider`. */
export const readableColors: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...badgeVariables(0),
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-7)',
    '--mantine-color-default-border': 'var(--mantine-color-gray-2)',
    ...roles({
      wall: '#fafaf9',
      chosen: '#eef1fd',
      accent: '#2f49b3',
      focus: 'var(--mantine-primary-color-filled)',
      green: '#1f7a4d',
      orange: '#a15c07',
      red: '#b42318',
      violet: '#7a5af8',
      gray: '#857e77',
    }),
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    '--mantine-color-disabled': 'var(--mantine-color-gray-1)',
    // Of the present page's link, under the mouse.
    '--mantine-color-indigo-light-hover': 'var(--mantine-color-indigo-light)',
  },
  dark: {
    ...badgeVariables(1),
    ...darkBackgrounds,
    // Mantine's are darker than the page.
    '--mantine-color-gray-light': 'var(--mantine-color-dark-5)',
    '--mantine-color-gray-light-hover': 'var(--mantine-color-dark-4)',
    // Also in the row of a table that is highlighted.
    '--mantine-color-anchor': 'var(--mantine-color-indigo-3)',
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    ...roles({
      wall: '#131312',
      chosen: '#1d2547',
      accent: '#a9b8ff',
      focus: 'var(--mantine-color-indigo-4)',
      green: '#5cc48f',
      orange: '#e0a04c',
      red: '#f2857a',
      violet: '#a693ff',
      gray: '#948d86',
    }),
    '--mantine-color-placeholder': 'var(--mantine-color-dark-1)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
    '--mantine-color-red-filled': 'var(--mantine-color-red-9)',
    '--mantine-color-red-filled-hover': 'var(--mantine-color-red-8)',
  },
});
