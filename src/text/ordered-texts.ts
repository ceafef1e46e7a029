/**
 * The orders of texts that stand for days, instants and decimal numbers.
 *
 * Such a text is stored as written. It is compared by its order key: texts that stand for the same have the same key, and the order of
 * keys by code point is that of what they stand for. A change of a key raises `orderKeyVersion` in `query/sort.ts`.
 */

/** The order of one such scalar. */
export interface TextOrder {
  /** Returns the order key of a text; `undefined` for a text that is no value of the scalar. */
  toKey(text: string): string | undefined;
  /** Returns the shortest text with an order key. */
  fromKey(key: string): string;
}

const maxDigits = 34;

/** The length of the longest value, a decimal number with its sign and point. */
export const longestOrderedText = maxDigits + 2;

const datePattern = /^(\d{4})-(\d\d)-(\d\d)$/;

/** Days of the calendar: a text is its own key. */
export const dateOrder: TextOrder = {
  toKey(text) {
    const [, year, month, day] = datePattern.exec(text) ?? [];
    return year !== undefined && findDay(Number(year), Number(month), Number(day)) ? text : undefined;
  },
  fromKey: (key) => key,
};

const dateTimePattern =
  /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d{1,6}))?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/i;

/** Instants: the key is the time in UTC, without zeros at the end of its fraction. */
export const dateTimeOrder: TextOrder = {
  toKey(text) {
    const found = dateTimePattern.exec(text);
    if (!found) return undefined;
    const [year, month, day, hours, minutes, seconds] = found.slice(1, 7).map(Number);
    const [fraction = '', sign, offsetHours = 0, offsetMinutes = 0] = found.slice(7);
    const start = findDay(year, month, day);
    if (!start) return undefined;
    const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * (sign === '-' ? -1 : 1);
    start.setUTCHours(Number(hours), Number(minutes) - offset, seconds);
    const isWithin = start.getUTCFullYear() >= 1 && start.getUTCFullYear() <= 9999;
    const digits = fraction.replace(/0+$/, '');
    return isWithin ? start.toISOString().slice(0, 19) + (digits && `.${digits}`) : undefined;
  },
  fromKey: (key) => `${key}Z`,
};

/** Finds a day of the calendar in the years 1 to 9999. */
function findDay(year = 0, month = 0, day = 0): Date | undefined {
  const date = new Date(0);
  // Unlike `Date.UTC`, this takes the years below 100 as they are.
  date.setUTCFullYear(year, month - 1, day);
  return year >= 1 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date : undefined;
}

const decimalPattern = /^(-?)(\d+)(?:\.(\d{1,9}))?$/;

/**
 * Decimal numbers. The key begins with the number of digits before the point, then come the digits: `p0212.5` is 12.5. That of a
 * negative number has the complement of each digit, and ends with a sign after all digits: `n9787.4~` is -12.5.
 */
export const decimalOrder: TextOrder = {
  toKey(text) {
    if (text.length > longestOrderedText) return undefined;
    const [found, sign, before = '', after = ''] = decimalPattern.exec(text) ?? [];
    if (found === undefined || before.length + after.length > maxDigits) return undefined;
    const whole = before.replace(/^0+/, '');
    const fraction = after.replace(/0+$/, '');
    const digits = String(whole.length).padStart(2, '0') + whole + (fraction && `.${fraction}`);
    const isNegative = sign === '-' && whole + fraction !== '';
    return isNegative ? `n${complement(digits)}~` : `p${digits}`;
  },
  fromKey(key) {
    const isNegative = key.startsWith('n');
    const digits = isNegative ? complement(key.slice(1, -1)) : key.slice(1);
    const number = digits.slice(2);
    return (isNegative ? '-' : '') + (number === '' || number.startsWith('.') ? `0${number}` : number);
  },
};

const complement = (digits: string) => digits.replace(/\d/g, (digit) => String(9 - Number(digit)));
