export function Users() {
  return (
    <div className="page">
      <title>Users · Kinora</title>
      <h1>Users</h1>
    </div>
  )
}
