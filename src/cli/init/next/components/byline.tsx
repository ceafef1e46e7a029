/** Shows the day of a post and its author. */
export function Byline({ day, author }: { day?: string | null; author?: { name: string } | null }) {
  return (
    <p className="byline">
      {day && <time dateTime={day}>{day}</time>} {author && <>by {author.name}</>}
    </p>
  );
}
