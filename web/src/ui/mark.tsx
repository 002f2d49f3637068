/** The mark: a coin and the double rule that closes an account, which together make a Q. */
export const Mark = ({ size = 28 }: { size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 32 32" fill="none" stroke="currentColor" strokeLinecap="round" aria-hidden="true">
    <circle cx="15" cy="13" r="10" strokeWidth="2.8" />
    <path d="M16.5 24.5h12.5M16.5 28.8h12.5" strokeWidth="1.9" />
  </svg>
);
