export default function SearchBar() {
  return <ranvier-search base="/handbook/_ranvier/"></ranvier-search>;
}
