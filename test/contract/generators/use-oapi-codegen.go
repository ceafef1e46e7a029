// Uses the Go clients that oapi-codegen makes of the three kinds of document, against a running server.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"example.com/colophon/admin"
	"example.com/colophon/cma"
	"example.com/colophon/routes"
)

func main() {
	url, token := os.Args[1], os.Args[2]
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+token)
		return nil
	}
	useContents(url, authorize)
	useAdmin(url, authorize)
	useRoutes(url)
}

func useContents(url string, authorize cma.RequestEditorFn) {
	ctx := context.Background()
	contents, err := cma.NewClientWithResponses(url, cma.WithRequestEditorFn(authorize))
	check(err)
	var asset cma.AssetCreate
	check(asset.FromLevelCreate(cma.LevelCreate{
		UnderscoreType: cma.LevelCreateTypeComExampleAwkwardLevel, Name: "From Go", Type: cma.KindDefault,
	}))
	created, err := contents.CreateAssetWithResponse(ctx, nil, asset)
	check(err)
	level, err := created.JSON200.Result.AsLevel()
	check(err)
	id, kind := level.UnderscoreId.String(), cma.KindClient
	var change cma.AssetUpdate
	check(change.FromLevelUpdate(cma.LevelUpdate{Type: &kind}))
	updated, err := contents.UpdateAssetWithResponse(ctx, id, nil, change)
	check(err)
	level, err = updated.JSON200.Result.AsLevel()
	check(err)
	where, values := "_id = ?", []string{id}
	found, err := contents.QueryAssetsWithResponse(ctx, &cma.QueryAssetsParams{
		From: "com.example.awkward.Level", Where: &where, Values: &values,
	})
	check(err)
	_, err = contents.DeleteAssetWithResponse(ctx, id, nil)
	check(err)
	fmt.Println("cma", level.Name, level.Type, len(found.JSON200.Result.Items))
}

func useAdmin(url string, authorize admin.RequestEditorFn) {
	client, err := admin.NewClientWithResponses(url, admin.WithRequestEditorFn(authorize))
	check(err)
	clients, err := client.ListApiClientsWithResponse(context.Background())
	check(err)
	fmt.Println("admin", clients.JSON200.Items[len(clients.JSON200.Items)-1].Name)
}

func useRoutes(url string) {
	client, err := routes.NewClientWithResponses(url)
	check(err)
	named, err := client.ByNameWithResponse(context.Background(), &routes.ByNameParams{Name: "Hello"})
	check(err)
	level := named.JSON200.Data.LevelList.Items[0]
	fmt.Println("routes", level.Name, level.Type)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
