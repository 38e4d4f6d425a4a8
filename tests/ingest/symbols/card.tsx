import React, { useState } from 'react';

type Props = {
  title: string;
  onLend?: (id: number) => void;
};

/** Shows one book. */
export function Card({ title, onLend }: Props): JSX.Element {
  const [open, setOpen] = useState(false);
  return (
    <article onClick={() => setOpen(!open)}>
      <h2>{title}</h2>
      {open && <button onClick={() => onLend?.(1)}>Lend</button>}
    </article>
  );
}

export const List: React.FC<{ items: Props[] }> = ({ items }) => (
  <ul>
    {items.map((item) => <Card key={item.title} {...item} />)}
  </ul>
);

export class Page extends React.Component<Props> {
  state = { open: false };

  render() {
    return <List items={[this.props]} />;
  }
}

export default React.memo(Card);
