export function Library() {
  return (
    <div className="page">
      <title>Library · Kinora</title>
      <h1>Library</h1>
    </div>
  )
}
